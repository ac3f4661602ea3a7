import { useEffect } from 'preact/hooks';
import { t, type MessageKey } from '../i18n';
import { PICTURES, Signs } from '../learn/pictures';
import { linkTo, route } from '../route';
import { Scale } from '../table/Scoring';

const SECTIONS = ['cards', 'signs', 'setup', 'turn', 'summon', 'cost', 'ascend', 'years', 'end', 'coop', 'hidden'] as const;
type Section = (typeof SECTIONS)[number];

const TEXTS: Record<Section, MessageKey[]> = {
  cards: ['rules.cards.1', 'rules.cards.2'],
  signs: ['rules.signs.1'],
  setup: ['rules.setup.1', 'rules.numbers'],
  turn: ['rules.turn.1', 'rules.turn.2'],
  summon: ['rules.summon.1'],
  cost: ['rules.cost.1', 'rules.cost.2', 'rules.cost.3'],
  ascend: ['rules.ascend.1', 'rules.ascend.2'],
  years: ['rules.years.1', 'rules.years.2'],
  end: ['rules.end.1', 'rules.end.2'],
  coop: ['rules.coop.1', 'rules.coop.2', 'rules.coop.3', 'rules.coop.4'],
  hidden: ['rules.hidden.1'],
};

/** Below the text of a section rather than beside it. */
const BELOW: Partial<Record<Section, () => preact.ComponentChild>> = { signs: () => <Signs />, coop: () => <Scale rank={null} /> };

export function Rules() {
  const { id } = route.value;
  useEffect(() => {
    const section = document.getElementById(`rules-${id}`);
    section?.scrollIntoView();
    section?.querySelector('h2')?.focus({ preventScroll: true });
  }, [route.value]);
  return (
    <article class="sheet rules">
      <h1>{t('rules.title')}</h1>
      <p class="lead">{t('rules.lead')}</p>
      <p><a class="button" href={linkTo('learn')}>{t('lesson.enter')}</a></p>
      <nav class="contents" aria-label={t('rules.contents')}>
        <ol>{SECTIONS.map((section) => <li key={section}><a href={linkTo('rules', section)}>{t(`rules.${section}`)}</a></li>)}</ol>
      </nav>
      {SECTIONS.map((section) => {
        const picture = PICTURES[section]();
        return (
          <section key={section} id={`rules-${section}`}>
            <div>
              <h2 tabIndex={-1}>{t(`rules.${section}`)}</h2>
              {TEXTS[section].map((key) => <p key={key}>{t(key)}</p>)}
            </div>
            {picture && <div class={`pictures pictures-${section}`}>{picture}</div>}
            {BELOW[section] && <div class="below">{BELOW[section]()}</div>}
          </section>
        );
      })}
    </article>
  );
}
