import type { Element, Game, PlayerView, View } from '../api/types';
import { AnimalToken } from '../art/Animal';
import { ElementToken } from '../art/Element';
import { Flower } from '../art/Flower';
import type { Loose } from '../play/choice';
import { animalName, cardLabel, elementName, levelName, listOf, t, tCount } from '../i18n';
import { Card, CardChip } from './Card';

export const elements = (tokens: PlayerView['tokens']): Element[] =>
  (Object.entries(tokens) as [Element, number][]).flatMap(([element, count]) => Array<Element>(count).fill(element));

/** What a seat's token does when it is dragged. */
function liftOf(loose: Loose, seat: number, me: number | null, element: Element, before: number): string | undefined {
  if (seat === me) return loose.pays?.element === element && before >= loose.pays.spent ? 'pay' : undefined;
  return loose.gains?.element === element && before === 0 ? loose.gains.sources.find((source) => source === `seat-${seat}`) : undefined;
}

interface Props { game: Game; view: View; me: number | null; loose: Loose }

/** A panel for each seat: years, animal and element tokens, cards in hand and which of them are known. */
export function Players({ game, view, me, loose }: Props) {
  const competitive = game.mode === 'competitive';
  return (
    <section class={`players count-${view.players.length}`} aria-label={t('table.players')}>
      <h2 class="sr-only">{t('table.players')}</h2>
      {view.players.map((player) => {
        const seat = game.seats[player.seat]!;
        const tokens = elements(player.tokens);
        const known = player.hand ?? player.known;
        const turn = view.seat_to_act === player.seat;
        return (
          <article key={player.seat} data-seat={player.seat} class={`player by-${player.seat % 4}${turn ? ' turn' : ''}${me === player.seat ? ' me' : ''}`}>
            <header>
              {competitive && <Flower seat={player.seat} tip={t('tip.flower', { name: seat.name })} />}
              <h3 title={seat.name}>{seat.name}</h3>
              {me === player.seat && <small class="mine">{t('table.you')}</small>}
              {seat.player !== 'human' && levelName(seat.player) !== seat.name && <small title={levelName(seat.player)}>{levelName(seat.player)}</small>}
              <details class="known">
                <summary aria-label={t('table.cards', { count: player.cards })} data-tip={t('table.cards', { count: player.cards })}>
                  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
                    <rect class="mini-card" x="2" y="5" width="11" height="16" rx="2" transform="rotate(-10 8 13)" />
                    <rect class="mini-card" x="10" y="4" width="11" height="16" rx="2" transform="rotate(8 15 12)" />
                  </svg>
                  {player.cards}
                </summary>
                <div class="known-list">
                  <h4>{t('table.known')}</h4>
                  {known.map((card) => <CardChip key={card} card={card} />)}
                  {known.length === 0 && <span class="quiet">{t('table.none')}</span>}
                </div>
              </details>
              {competitive && (
                <span class="player-years" data-tip={tCount('table.years', player.years)}>
                  <b aria-hidden="true">{player.years}</b>
                  <span class="sr-only">{tCount('table.years', player.years)}</span>
                </span>
              )}
            </header>
            <div class="holdings">
              {competitive && player.animals.length > 0 && (
                <span class="tokens" role="group" aria-label={t('table.animals', { list: listOf(player.animals.map(animalName)) })}>
                  {player.animals.map((animal) => <AnimalToken key={animal} animal={animal} />)}
                </span>
              )}
              {tokens.length > 0 && (
                <span class="tokens" role="group" aria-label={t('table.tokens', { list: listOf(tokens.map(elementName)) })}>
                  {tokens.map((element, at) => <ElementToken key={`${element}${at}`} element={element} lift={liftOf(loose, player.seat, me, element, at - tokens.indexOf(element))} />)}
                </span>
              )}
            </div>
            {me !== player.seat && known.length > 0 && (
              <ul class="known-glance" aria-label={t('table.known')}>
                {known.map((card) => <li key={card} title={cardLabel(card)}><Card card={card} face="stamp" /></li>)}
              </ul>
            )}
          </article>
        );
      })}
    </section>
  );
}

/** Co-operative: which animals have ascended, and the score so far. */
export function Ascent({ game, view }: { game: Game; view: View }) {
  const { ascended, animal_tokens, score } = view.table;
  const animals = Object.keys(animal_tokens) as (keyof typeof animal_tokens)[];
  return (
    <section class="ascent" aria-label={t('table.ascended', { count: ascended.length, all: animals.length })}>
      <div class="ascent-animals">
        {animals.map((animal) => <AnimalToken key={animal} animal={animal} off={!ascended.includes(animal)} label={ascended.includes(animal)} />)}
      </div>
      <p>
        {t('table.ascended', { count: ascended.length, all: animals.length })}
        {' · '}
        {t(game.options.scoring === 'family' ? 'table.score.family' : 'table.score', { score: score ?? 0 })}
      </p>
    </section>
  );
}
