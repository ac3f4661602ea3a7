import type { Game } from '../api/types';
import { AnimalToken } from '../art/Animal';
import { Flower } from '../art/Flower';
import { animalName, listOf, rankName, t, tCount } from '../i18n';
import { rules } from '../play/rules';
import { DailyEnd } from './DailyEnd';

const TOP_SCORE = 59; // all sixty cards are out of reach: the first summon always discards one

export function Scale({ rank }: { rank: string | null }) {
  const { ranks } = rules.value!.options;
  return (
    <ol class="scale" aria-label={t('score.scale')}>
      {ranks.map(({ name, from }, at) => (
        <li key={name} class={name === rank ? 'here' : ''} aria-current={name === rank ? 'true' : undefined}>
          <b>{rankName(name)}</b>
          <small>{from}–{(ranks[at + 1]?.from ?? TOP_SCORE + 1) - 1}</small>
        </li>
      ))}
    </ol>
  );
}

function Competitive({ game, mine }: { game: Game; mine: number[] }) {
  const result = game.result as { years: number[]; winners: number[] } | null;
  const winners = result?.winners ?? [];
  const rows = [...(game.scoring ?? [])].sort((a, b) => b.total - a.total);
  const names = listOf(winners.map((seat) => game.seats[seat]!.name));
  const tied = rows.length > 1 && rows[0]!.total === rows[1]!.total;
  const alone = winners.length === 1 && mine.length === 1 && mine[0] === winners[0];
  return (
    <>
      <p class="verdict">{alone ? t('score.you') : t(winners.length > 1 ? 'score.winners' : 'score.winner', { names })}</p>
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">{t('score.player')}</th>
            <th scope="col">{t('score.years')}</th>
            <th scope="col">{t('score.elements')}</th>
            <th scope="col">{t('score.cards')}</th>
            <th scope="col">{t('score.total')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.seat} class={winners.includes(row.seat) ? 'winner' : ''}>
              <th scope="row"><Flower seat={row.seat} /> {game.seats[row.seat]!.name}</th>
              <td>{row.years}</td>
              <td>+{row.element_tokens}</td>
              <td>+{row.matching_cards}</td>
              <td class="total">{row.total}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {tied && <p class="quiet">{t('score.tie', { animal: animalName(game.year_animal) })}</p>}
    </>
  );
}

function Cooperative({ game }: { game: Game }) {
  const result = game.result as { score: number; rank: string | null; won: boolean } | null;
  if (!result) return null;
  const family = game.options.scoring === 'family';
  const { ascended, animal_tokens } = game.table;
  return (
    <>
      <p class="verdict">
        {result.won && <span class="won">{t('score.coop.won')}</span>}
        {family ? tCount('score.coop.family', result.score) : t('score.coop', { score: result.score })}
        {!family && <strong class="rank">{result.rank ? rankName(result.rank) : t('score.coop.none')}</strong>}
      </p>
      <div class="ascent-animals">
        {(Object.keys(animal_tokens) as (typeof ascended)[number][]).map((animal) => (
          <AnimalToken key={animal} animal={animal} off={!ascended.includes(animal)} label={ascended.includes(animal)} />
        ))}
      </div>
      {!family && <p class="quiet">{t('score.coop.cards')}</p>}
      {!family && <Scale rank={result.rank} />}
    </>
  );
}

/** The end: who won and why, or how far the table has come. */
export function Scoring({ game, mine }: { game: Game; mine: number[] }) {
  if (!game.result) return <p class="verdict">{t('score.abandoned')}</p>;
  return game.mode === 'competitive' ? <Competitive game={game} mine={mine} /> : <><Cooperative game={game} /><DailyEnd game={game} /></>;
}
