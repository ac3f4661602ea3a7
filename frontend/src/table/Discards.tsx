import type { CardName } from '../api/types';
import { Dialog } from '../Dialog';
import { t } from '../i18n';
import { byYear } from '../play/rules';
import { Card } from './Card';

export function Discards({ cards, onClose }: { cards: CardName[]; onClose: () => void }) {
  return (
    <Dialog title={t('table.discards.open', { count: cards.length })} class="wide" onClose={onClose}>
      {cards.length ? (
        <ul class="pile">{[...cards].sort(byYear).map((card) => <li key={card}><Card card={card} /></li>)}</ul>
      ) : (
        <p class="quiet">{t('table.discards.none')}</p>
      )}
    </Dialog>
  );
}
