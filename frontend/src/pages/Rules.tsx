import type { ComponentChildren } from 'preact';
import type { Animal, CardName, Element } from '../api/types';
import { AnimalToken } from '../art/Animal';
import { ElementToken } from '../art/Element';
import { cardName, elementName, t, tCount, type MessageKey } from '../i18n';
import { rules } from '../play/rules';
import { Card, CardBack } from '../table/Card';
import { Scale } from '../table/Scoring';

const SECTIONS = ['cards', 'setup', 'turn', 'summon', 'cost', 'ascend', 'years', 'end', 'coop', 'hidden'] as const;
type Section = (typeof SECTIONS)[number];

const ELEMENTS: Element[] = ['wood', 'fire', 'earth', 'metal', 'water'];

/** The pictures are the table's own pieces. */
const PICTURES: Partial<Record<Section, () => ComponentChildren>> = {
  cards: () => {
    const cats = [...rules.value!.cards.values()].filter((card) => card.animal === 'cat');
    return cats.map((card) => <Card key={card.name} card={card.name} />);
  },
  setup: () => ELEMENTS.map((element) => <span key={element} class="named"><ElementToken element={element} label={false} />{elementName(element)}</span>),
  turn: () => [<Card key="a" card="metal-rooster" />, <CardBack key="b" />],
  summon: () => [<Card key="a" card="fire-mouse" face="stamp" />, <span key="b" class="over" aria-hidden="true">→</span>, <Card key="c" card="wood-mouse" face="stamp" />],
  cost: () => {
    const [card, a, b] = ['water-cat', 'water-goat', 'water-mouse'] as CardName[];
    return [
      <Card key="1" card={a!} face="stamp" />, <Card key="2" card={card!} />, <Card key="3" card={b!} face="stamp" />,
      <p key="4" class="sum">{cardName(card!)}: {t('act.cost.rank', { rank: 4 })} − {t('act.cost.shared', { number: 2 })} = <b>2</b></p>,
    ];
  },
  ascend: () => [<Card key="a" card="water-horse" face="stamp" />, <span key="b" class="over" aria-hidden="true">→</span>, <Card key="c" card="earth-horse" face="stamp" />, <ElementToken key="d" element="water" />],
  years: () => [...(['pig', 'monkey', 'mouse'] as Animal[]).map((animal) => <AnimalToken key={animal} animal={animal} />), <b key="years" class="plus">{tCount('table.plus', 3)}</b>],
  coop: () => <Scale rank={null} />,
};

const TEXTS: Record<Section, MessageKey[]> = {
  cards: ['rules.cards.1', 'rules.cards.2'],
  setup: ['rules.setup.1', 'rules.numbers'],
  turn: ['rules.turn.1', 'rules.turn.2'],
  summon: ['rules.summon.1'],
  cost: ['rules.cost.1', 'rules.cost.2'],
  ascend: ['rules.ascend.1'],
  years: ['rules.years.1', 'rules.years.2'],
  end: ['rules.end.1', 'rules.end.2'],
  coop: ['rules.coop.1', 'rules.coop.2', 'rules.coop.3', 'rules.coop.4'],
  hidden: ['rules.hidden.1'],
};

export function Rules() {
  return (
    <article class="sheet rules">
      <h1>{t('rules.title')}</h1>
      <p class="lead">{t('rules.lead')}</p>
      {SECTIONS.map((section) => (
        <section key={section}>
          <div>
            <h2>{t(`rules.${section}`)}</h2>
            {TEXTS[section].map((key) => <p key={key}>{t(key)}</p>)}
          </div>
          {PICTURES[section] && <div class={`pictures pictures-${section}`}>{PICTURES[section]!()}</div>}
        </section>
      ))}
    </article>
  );
}
