import { useState } from 'preact/hooks';
import { Unreachable } from '../api/client';
import type { LadderList } from '../api/types';
import { moment, t } from '../i18n';
import { useFresh } from '../pages/fresh';
import { linkTo } from '../route';
import { listLadders } from './calls';
import { LadderForm } from './LadderForm';

/** The latest ladders: computer players against each other. */
export function Ladders() {
  const [list, setList] = useState<LadderList | null>(null);
  const [lost, setLost] = useState(false);
  useFresh(async () => {
    try {
      setList(await listLadders());
      setLost(false);
    } catch (fault) {
      if (!(fault instanceof Unreachable)) throw fault;
      setLost(true);
    }
  }, 5, []);
  return (
    <div class="sheet ladders">
      <h1>{t('nav.ladders')}</h1>
      <p>{t('ladder.text')}</p>
      {lost && <p class="warn" role="status">{t('table.lost')}</p>}
      {list?.ladders.length === 0 && <p class="quiet">{t('ladder.none')}</p>}
      <ul class="game-list">
        {list?.ladders.map((ladder) => (
          <li key={ladder.id} class="game-line">
            <a href={linkTo('ladders', ladder.id)}>
              <b>{ladder.name}</b>
              <small class="quiet">{moment(ladder.created_at)}</small>
            </a>
            <span class="ladder-state">
              {t(`ladder.state.${ladder.state}`)} · {t('ladder.progress', { played: ladder.played, matches: ladder.matches })}
            </span>
          </li>
        ))}
      </ul>
      <LadderForm bots={list?.bots ?? []} />
    </div>
  );
}
