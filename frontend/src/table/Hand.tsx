import type { CardName } from '../api/types';
import { cardLabel, t } from '../i18n';
import { byYear } from '../play/rules';
import { Card } from './Card';
import { useRoving } from './roving';

export type HandMark = 'chosen' | 'pays' | 'may-pay' | 'discard' | 'may-discard' | 'open' | 'blocked' | 'idle';

interface Props {
  title: string;
  cards: CardName[];
  markOf: (card: CardName) => HandMark;
  onCard: ((card: CardName) => void) | null;
  onLook: (card: CardName | null) => void;
}

/** The hand in the order of the years; it fans closer together the more cards it holds. */
export function Hand({ title, cards, markOf, onCard, onLook }: Props) {
  const fan = useRoving<HTMLUListElement>('.open button, .may-pay button, .may-discard button');
  const sorted = [...cards].sort(byYear);
  return (
    <section class="hand" aria-label={title}>
      {sorted.length === 0 && <p class="quiet">{t('table.hand.empty')}</p>}
      <ul ref={fan} class={`fan fan-${Math.min(sorted.length, 10)}`}>
        {sorted.map((card) => {
          const mark = markOf(card);
          const pressed = mark === 'chosen' || mark === 'pays' || mark === 'discard';
          return (
            <li key={card} class={`in-hand ${mark}`}>
              <button
                type="button"
                class="card-button"
                data-card={card}
                aria-label={cardLabel(card)}
                aria-pressed={onCard ? pressed : undefined}
                aria-disabled={!onCard}
                onClick={() => onCard?.(card)}
                onPointerEnter={(event) => event.pointerType === 'mouse' && onLook(card)}
                onPointerLeave={() => onLook(null)}
                onFocus={() => onLook(card)}
                onBlur={() => onLook(null)}
              >
                <Card card={card} />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
