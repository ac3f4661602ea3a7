import type { Choices, View } from '../api/types';
import type { Loose } from '../play/choice';
import { cardLabel, elementName, listOf, t } from '../i18n';
import { ElementToken } from '../art/Element';
import { Card, CardBack } from './Card';
import { elements } from './Players';
import { useRoving } from './roving';

interface Props {
  view: View;
  deckAtStart: number;
  choices: Choices | null;
  chosen: 'deck' | number | null;
  loose: Loose;
  onDraw: (source: 'deck' | number) => void;
  onDiscards: () => void;
}

/** The Stream's eight places and the deck. */
export function Stream({ view, deckAtStart, choices, chosen, loose, onDraw, onDiscards }: Props) {
  const { stream, deck, discards } = view.table;
  const places = useRoving<HTMLUListElement>('.offered');
  const supply = elements(view.table.supply);
  const offered = choices?.draw ?? null;
  return (
    <section class="stream" aria-label={t('table.stream')}>
      <header>
        <h2>{t('table.stream')}</h2>
        <button type="button" class="link" onClick={onDiscards}>{t('table.discards.open', { count: discards.length })}</button>
        <p class="supply" aria-label={`${t('table.supply')}: ${supply.length ? listOf(supply.map(elementName)) : t('table.supply.none')}`} role="group">
          <span>{t('table.supply')}</span>
          {supply.length ? supply.map((element, at) => <ElementToken key={`${element}${at}`} element={element} lift={loose.gains?.element === element ? loose.gains.sources.find((source) => source === 'supply') : undefined} />) : <i>{t('table.supply.none')}</i>}
        </p>
      </header>
      {deckAtStart > 0 && <div class="gauge" data-tip={t('table.deck.count', { count: deck })} aria-hidden="true"><i style={{ width: `${(100 * deck) / deckAtStart}%` }} /></div>}
      <ul class="places" ref={places}>
        {stream.map((card, place) => {
          const may = offered?.stream.includes(place) ?? false;
          return (
            <li key={`${place}-${card}`} class="place">
              {card && (
                <button
                  type="button"
                  class={`card-button${may ? ' offered' : ''}${chosen === place ? ' chosen' : ''}`}
                  data-place={place}
                  aria-label={cardLabel(card)}
                  aria-pressed={may ? chosen === place : undefined}
                  aria-disabled={!may}
                  onClick={() => may && onDraw(place)}
                >
                  <Card card={card} />
                  <Card card={card} face="stamp" />
                </button>
              )}
            </li>
          );
        })}
        <li class="place deck">
          <button
            type="button"
            class={`card-button${offered?.deck ? ' offered' : ''}${chosen === 'deck' ? ' chosen' : ''}`}
            data-place="deck"
            aria-label={deck ? t('table.deck.count', { count: deck }) : t('table.deck.empty')}
            data-tip={deck ? t('tip.deck', { count: deck }) : t('table.deck.empty')}
            aria-pressed={offered?.deck ? chosen === 'deck' : undefined}
            aria-disabled={!offered?.deck}
            disabled={deck === 0}
            onClick={() => offered?.deck && onDraw('deck')}
          >
            {deck > 0 && <CardBack />}
            <span class="deck-count" aria-hidden="true"><b>{deck}</b><i>{t('table.deck')}</i></span>
          </button>
        </li>
      </ul>
    </section>
  );
}
