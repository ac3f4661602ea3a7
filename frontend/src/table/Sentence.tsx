import type { ComponentChildren } from 'preact';
import { AnimalToken } from '../art/Animal';
import { ElementToken } from '../art/Element';
import { animalName, elementName, messages } from '../i18n';
import type { Sentence, Told } from '../play/story';
import { CardChip } from './Card';

function Piece({ told }: { told: Told }): ComponentChildren {
  if (typeof told !== 'object') return told;
  if ('card' in told) return <CardChip card={told.card} />;
  if ('cards' in told) return told.cards.map((card, at) => <>{at > 0 && ' '}<CardChip key={card} card={card} /></>);
  if ('element' in told) return <span class="chip"><ElementToken element={told.element} label={false} />{elementName(told.element)}</span>;
  return <span class="chip"><AnimalToken animal={told.animal} label={false} />{animalName(told.animal)}</span>;
}

/** A sentence of the story with its cards and tokens as small pictures. */
export function SentenceText({ sentence }: { sentence: Sentence }) {
  const pieces = messages.value[sentence.key].split(/\{(\w+)\}/);
  return <>{pieces.map((piece, at) => (at % 2 ? <Piece key={at} told={sentence.told[piece]!} /> : piece))}</>;
}

/** Several sentences as one, joined by commas. */
export function Sentences({ said }: { said: Sentence[] }) {
  return <>{said.map((sentence, at) => <span key={at} class={at ? 'then' : 'first'}><SentenceText sentence={sentence} /></span>)}</>;
}
