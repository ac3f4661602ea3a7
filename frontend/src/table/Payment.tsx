import type { Choices, Game, Placement, View } from '../api/types';
import { AnimalToken } from '../art/Animal';
import { ElementToken } from '../art/Element';
import { animalName, cardName, elementName, t, tCount } from '../i18n';
import * as choice from '../play/choice';
import type { Draft } from '../play/choice';
import { cardInfo } from '../play/rules';

interface Props { choices: Choices; draft: Draft; game: Game; view: View; change: (draft: Draft) => void }

function Cost({ placement }: { placement: Placement }) {
  const { rank, underneath, shared } = placement.breakdown;
  return (
    <p class="cost" data-cost={placement.cost}>
      <span class="cost-label">{t('act.cost')}</span>
      <span class="cost-sum">
        {t('act.cost.rank', { rank })}
        {underneath > 0 && <> − {t('act.cost.under', { number: underneath })}</>}
        {shared.length > 0 && <> − {t('act.cost.shared', { number: shared.length })}</>}
      </span>
      <b>{placement.cost}</b>
    </p>
  );
}

function Gains({ placement, draft, game, view }: { placement: Placement; draft: Draft; game: Game; view: View }) {
  const animal = cardInfo(draft.card!).animal;
  const { gains, years } = placement;
  const holder = view.table.animal_tokens[animal];
  const takes = years?.for === 'animal_tokens';
  const ascends = game.mode === 'cooperative' && placement.breakdown.rank === 5;
  // Where its source is to be chosen, the token is already spoken of.
  const due = gains.ascension?.sources.length === 1 ? gains.ascension : null;
  if (!gains.move && !gains.space && !due && !takes && !years && !ascends) return null;
  const count = choice.yearsOf(placement, draft);
  return (
    <ul class="gains" aria-label={t('act.gains')}>
      {gains.move && <li><ElementToken element={gains.move} label={false} />{t('act.gain.token.move', { element: elementName(gains.move) })}</li>}
      {gains.space && <li><ElementToken element={gains.space} label={false} />{t('act.gain.token.space', { element: elementName(gains.space) })}</li>}
      {due && <li><ElementToken element={due.element} label={false} />{t('act.gain.token.ascension', { element: elementName(due.element) })}</li>}
      {takes && (
        <li>
          <AnimalToken animal={animal} label={false} />
          {holder === null
            ? t('act.gain.animal', { animal: animalName(animal) })
            : t('act.gain.animal.from', { animal: animalName(animal), name: game.seats[holder]!.name })}
        </li>
      )}
      {ascends && <li><AnimalToken animal={animal} label={false} />{t('act.gain.ascended', { animal: animalName(animal) })}</li>}
      {years && (
        <li class="gain-years" data-years={count}>
          <b>{tCount('table.plus', count)}</b>
          <small>{t(takes ? 'act.years.animals' : 'act.years.elements')}</small>
        </li>
      )}
    </ul>
  );
}

function sourceName(source: { from: 'supply' } | { from: 'space'; space: number } | { from: 'seat'; seat: number }, game: Game): string {
  if (source.from === 'supply') return t('act.gain.supply');
  return source.from === 'space'
    ? t('act.gain.space', { number: source.space + 1 })
    : t('act.gain.seat', { name: game.seats[source.seat]!.name });
}

/** Where the ascension token comes from, where there is a choice. */
function Source({ placement, draft, game, change }: Props & { placement: Placement }) {
  const due = placement.gains.ascension;
  if (!due || due.sources.length < 2) return null;
  return (
    <fieldset class="sources">
      <legend>{t('act.gain.title', { element: elementName(due.element) })}</legend>
      {due.sources.map((source) => {
        const chosen = JSON.stringify(source) === JSON.stringify(draft.gain);
        return (
          <button key={JSON.stringify(source)} type="button" class="pick" data-source={choice.sourceKey(source)} aria-pressed={chosen} title={sourceName(source, game)} onClick={() => change({ ...draft, gain: source })}>
            {sourceName(source, game)}
          </button>
        );
      })}
    </fieldset>
  );
}

/** Own element tokens as a part of the payment; cards are chosen in the hand. */
function TokensToPay({ choices, draft, placement, change }: Props & { placement: Placement }) {
  const element = choice.summonOf(choices, draft.card)!.usable.element;
  if (!placement.tokens || !placement.cost) return null;
  return (
    <div class="pay-tokens" role="group" aria-label={t('act.pay.tokens', { element: elementName(element) })}>
      {Array.from({ length: placement.tokens }, (_, at) => {
        const used = at < draft.tokens;
        return (
          <button
            key={at}
            type="button"
            class="pay-token"
            aria-pressed={used}
            aria-label={used ? t('act.pay.less') : t('act.pay.more')}
            disabled={!used && choice.paid(draft) >= placement.cost}
            onClick={() => change(choice.setTokens(choices, draft, draft.tokens + (used ? -1 : 1)))}
          >
            <ElementToken element={element} />
          </button>
        );
      })}
    </div>
  );
}

function Moves({ choices, draft, view, change }: Props) {
  const here = choice.placementsHere(choices, draft);
  const topOf = (space: number) => cardName(view.table.spaces[space]!.cards.at(-1)!);
  const free = here.find((placement) => placement.move === null);
  return (
    <div class="moves">
      <p class="say">{draft.lifted === null ? t('act.move.lift') : t('act.move.target', { card: topOf(draft.lifted) })}</p>
      <div class="picks">
        {free && <button type="button" class="pick" data-move-to="none" onClick={() => change(choice.chooseMove(choices, draft, null))}>{t('act.move.none')}</button>}
        {draft.lifted !== null &&
          here.filter((placement) => placement.move?.from === draft.lifted).map((placement) => (
            <button key={placement.move!.to} type="button" class="pick" data-move-to={placement.move!.to} onClick={() => change(choice.chooseMove(choices, draft, placement.move))}>
              {t('act.gain.space', { number: placement.move!.to + 1 })}
              <small>{placement.cost ? t('table.cost', { cost: placement.cost }) : t('table.free')}</small>
            </button>
          ))}
      </div>
    </div>
  );
}

/** Everything about the summon under way between choosing its card and confirming it. */
export function Payment(props: Props) {
  const { choices, draft, view } = props;
  const card = draft.card!;
  const step = choice.stepOf(choices, draft);
  const summon = choice.summonOf(choices, card);
  const placement = choice.placementOf(choices, draft);
  const title = cardName(card);
  if (step === 'space') {
    const payable = choice.payable(summon).length > 0;
    const reason = summon?.blocked ? t(`blocked.${summon.blocked.code}`) : '';
    return (
      <div class="payment">
        <h3>{title}</h3>
        <p class={payable ? 'say' : 'say warn'}>{payable ? t('act.space', { card: title }) : t('act.blocked', { card: title, reason })}</p>
      </div>
    );
  }
  const under = view.table.spaces[draft.space!]!.cards.at(-1);
  const onTop = under && cardInfo(under).animal === cardInfo(card).animal;
  return (
    <div class="payment">
      <h3>
        {title} <small>{onTop ? t('act.on.card', { card: cardName(under) }) : t('act.on.empty', { number: draft.space! + 1 })}</small>
      </h3>
      {step === 'move' && <Moves {...props} />}
      {placement && (
        <>
          <Cost placement={placement} />
          {placement.cost > 0 && (
            <div class="pay">
              <p class={step === 'pay' ? 'say' : 'say done'}>
                {step === 'pay' && choice.paid(draft) === 0 ? t('act.pay', { cost: placement.cost }) : t('act.pay.progress', { paid: choice.paid(draft), cost: placement.cost })}
              </p>
              <TokensToPay {...props} placement={placement} />
            </div>
          )}
          <Source {...props} placement={placement} />
          <Gains placement={placement} draft={draft} game={props.game} view={view} />
        </>
      )}
    </div>
  );
}
