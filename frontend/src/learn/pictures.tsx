/** The rules' pictures, drawn with the table's own pieces. */
import type { ComponentChildren } from 'preact';
import type { Animal, CardName, Element, SpaceView } from '../api/types';
import { AnimalStamp, AnimalToken } from '../art/Animal';
import { ElementToken } from '../art/Element';
import { Flower } from '../art/Flower';
import { animalName, elementName, t, tCount } from '../i18n';
import { cardInfo } from '../play/rules';
import { MoveWay, SpaceArt, Vine } from '../table/Board';
import { Card, CardBack, CardFace, FACE } from '../table/Card';
import type { Layout } from '../table/layout';

export const ELEMENTS: Element[] = ['wood', 'fire', 'earth', 'metal', 'water'];

interface Place { at: [number, number]; cards?: CardName[]; token?: Element; ascended?: boolean }

/** A piece of a board: some spaces, and the vines between them. */
export function Plot({ width, height, scale = 0.8, places, vines, arrow }: {
  width: number; height: number; scale?: number; places: Place[]; vines: [number, number][]; arrow?: [number, number];
}) {
  const layout: Layout = {
    width, height, inset: 0, scale,
    card: { width: FACE.stamp.width * scale, height: FACE.stamp.height * scale },
    at: places.map(({ at: [x, y] }) => ({ x, y })),
  };
  const element = ({ cards = [] }: Place): Element | null => (cards.length ? cardInfo(cards.at(-1)!).element : null);
  return (
    <svg class="plot" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {vines.map(([from, to]) => {
        const [a, b] = [element(places[from]!), element(places[to]!)];
        return <Vine key={`${from}-${to}`} layout={layout} from={from} to={to} shared={a === b ? a : null} lit={false} />;
      })}
      {places.map((place, at) => {
        const space: SpaceView = { space: at, cards: place.cards ?? [], token: place.token ?? null, ascended: place.ascended ?? false };
        return <SpaceArt key={at} space={space} layout={layout} owner={null} news={false} ghost={null} leaving={false} />;
      })}
      {arrow && (
        <MoveWay path={`M${layout.at[arrow[0]]!.x + layout.card.width / 2 + 4} ${height * 0.7}H${layout.at[arrow[1]]!.x - layout.card.width / 2 - 4}`} />
      )}
    </svg>
  );
}

/** A card with a name at each of its parts. */
export function Anatomy({ card }: { card: CardName }) {
  const info = cardInfo(card);
  const parts: [string, number, number, number][] = [
    [t('rules.part.element', { element: elementName(info.element) }), 19, 24, 20],
    [t('rules.part.rank', { rank: info.rank }), 62, 24, 62],
    [t('rules.part.animal', { animal: animalName(info.animal) }), 98, 78, 72],
    [t('rules.part.canchi'), 132, 70, 114],
    [t('rules.part.name'), 160, 60, 129],
  ];
  return (
    <figure class="anatomy">
      <svg viewBox="0 0 300 176" aria-hidden="true">
        <g transform="translate(4 10) scale(1.16)"><CardFace card={card} face="whole" /></g>
        {parts.map(([label, y, x, from]) => (
          <g key={label}>
            <path class="lead-line" d={`M${x} ${from + 6}L124 ${y}H132`} />
            <circle class="lead-end" cx={x} cy={from + 6} r="2.6" />
            <text class="part" x="137" y={y}>{label}</text>
          </g>
        ))}
      </svg>
      <figcaption class="sr-only">{parts.map(([label]) => label).join('; ')}</figcaption>
    </figure>
  );
}

function Sign({ children, text }: { children: ComponentChildren; text: string }) {
  return <li><span class="sign">{children}</span><span>{text}</span></li>;
}

/** Every symbol of the table and what it means. */
export function Signs() {
  return (
    <ul class="signs">
      {ELEMENTS.map((element) => <Sign key={element} text={t('tip.element', { element: elementName(element) })}><ElementToken element={element} label={false} /></Sign>)}
      <Sign text={t('rules.sign.rank')}>
        <svg class="token" viewBox="0 0 24 24" aria-hidden="true">{[0, 1, 2].map((at) => <circle key={at} class={`sign-dot${at < 2 ? '' : ' off'}`} cx={4 + at * 8} cy="12" r="3.2" />)}</svg>
      </Sign>
      <Sign text={t('rules.sign.animal')}><AnimalToken animal="dragon" label={false} /></Sign>
      <Sign text={t('rules.sign.flower')}><Flower seat={0} /><Flower seat={1} /></Sign>
      <Sign text={t('rules.sign.stack')}><svg class="token" viewBox="-12 -12 24 24" aria-hidden="true"><g class="stack-count"><circle r="10" /><text font-size="13">3</text></g></svg></Sign>
      <Sign text={t('rules.sign.vine')}>
        <svg class="token" viewBox="0 0 24 24" aria-hidden="true"><g class="vine vine-shared vine-water"><path class="vine-stem" d="M2 18Q12 2 22 12" /></g></svg>
      </Sign>
      <Sign text={t('rules.sign.crown')}><svg class="token" viewBox="-12 -12 24 24" aria-hidden="true"><g class="crown"><circle r="10" /><AnimalStamp animal="dragon" x={0} y={0} size={13} /></g></svg></Sign>
    </ul>
  );
}

const animals = (...some: Animal[]) => some.map((animal) => <AnimalToken key={animal} animal={animal} />);
const Plus = ({ years }: { years: number }) => <b class="plus">{tCount('table.plus', years)}</b>;
const Pays = ({ cards, tokens = [] }: { cards: CardName[]; tokens?: Element[] }) => (
  <div class="pays-with">
    <small>{t('rules.paid')}</small>
    {cards.map((card) => <Card key={card} card={card} face="stamp" />)}
    {tokens.map((element, at) => <ElementToken key={at} element={element} />)}
  </div>
);

export const PICTURES = {
  cards: () => <Anatomy card="water-cat" />,
  signs: () => null,
  setup: () => (
    <Plot
      width={300} height={190} scale={0.72}
      places={[{ at: [40, 60], token: 'wood' }, { at: [130, 44], token: 'water' }, { at: [230, 54], token: 'fire' }, { at: [266, 138], token: 'metal' }, { at: [130, 142] }]}
      vines={[[0, 1], [1, 2], [2, 3], [0, 4], [1, 4], [2, 4], [3, 4]]}
    />
  ),
  turn: () => [<Card key="a" card="metal-rooster" />, <CardBack key="b" />],
  summon: () => (
    <Plot
      width={300} height={110} scale={0.9}
      places={[{ at: [46, 56], cards: ['wood-mouse'] }, { at: [150, 56], cards: ['wood-mouse', 'fire-mouse'] }, { at: [254, 56], cards: ['wood-mouse', 'fire-mouse', 'metal-mouse'] }]}
      vines={[]}
    />
  ),
  cost: () => [
    <Plot
      key="plot" width={300} height={112} scale={0.9}
      places={[{ at: [42, 58], cards: ['water-goat'] }, { at: [150, 52], cards: ['water-cat'] }, { at: [258, 58], cards: ['water-mouse'] }]}
      vines={[[0, 1], [1, 2]]}
    />,
    <p key="sum" class="sum">{t('act.cost.rank', { rank: 4 })} − {t('act.cost.shared', { number: 2 })} = <b>2</b></p>,
    <Pays key="pays" cards={['metal-cat', 'water-pig']} />,
  ],
  ascend: () => [
    <Plot key="plot" width={300} height={112} scale={0.9} places={[{ at: [98, 58], cards: ['water-horse'] }, { at: [202, 58], cards: ['water-horse', 'earth-horse'] }]} vines={[]} />,
    <p key="sum" class="sum">{t('act.cost.rank', { rank: 5 })} − {t('act.cost.under', { number: 2 })} = <b>3</b></p>,
    <Pays key="pays" cards={['earth-snake']} tokens={['earth', 'earth']} />,
    <p key="gain" class="sum">{t('act.gain.token.ascension', { element: elementName('water') })} <ElementToken element="water" /></p>,
  ],
  years: () => [
    <p key="a" class="tally">{animals('pig', 'monkey', 'mouse')} <Plus years={3} /></p>,
    <p key="b" class="tally">{animals('mouse')} <span aria-hidden="true">·</span> {(['wood', 'wood', 'fire'] as Element[]).map((element, at) => <ElementToken key={at} element={element} />)} <Plus years={3} /></p>,
  ],
  end: () => null,
  coop: () => (
    <Plot
      width={300} height={112} scale={0.9}
      places={[{ at: [46, 58], cards: ['water-horse'] }, { at: [150, 52], cards: ['water-cat'] }, { at: [254, 58], cards: ['fire-dragon'], ascended: true }]}
      vines={[[0, 1], [1, 2]]}
      arrow={[0, 1]}
    />
  ),
  hidden: () => [<CardBack key="a" />, <Card key="b" card="fire-pig" />],
} satisfies Record<string, () => ComponentChildren>;
