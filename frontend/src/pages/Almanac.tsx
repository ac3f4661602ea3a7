import { useState } from 'preact/hooks';
import { askAlmanac } from '../api/calls';
import { Refusal } from '../api/client';
import type { Born } from '../api/types';
import { AnimalToken } from '../art/Animal';
import { ElementToken } from '../art/Element';
import { animalName, cardLabel, cardName, day, elementName, t, tMaybe } from '../i18n';
import { linkTo } from '../route';
import { Card } from '../table/Card';

/** Tết ends a lunar year: it is the day after its last. */
const dayAfter = (iso: string): string => new Date(Date.parse(iso) + 86_400_000).toISOString().slice(0, 10);

export function Almanac() {
  const [date, setDate] = useState('');
  const [born, setBorn] = useState<Born | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const ask = async (event: Event) => {
    event.preventDefault();
    if (!date) return;
    setFault(null);
    try {
      setBorn(await askAlmanac(date));
    } catch (error) {
      setBorn(null);
      setFault(error instanceof Refusal ? tMaybe(`error.${error.code}`, t('almanac.range')) : t('error.network'));
    }
  };
  return (
    <div class="sheet almanac">
      <h1>{t('almanac.title')}</h1>
      <p>{t('almanac.text')}</p>
      <form class="ask" onSubmit={ask}>
        <label class="field">
          {t('almanac.date')}
          <input type="date" required min="1901-01-01" max="2100-12-31" value={date} onInput={(event) => setDate(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button main">{t('almanac.ask')}</button>
      </form>
      {fault && <p class="warn" role="alert">{fault}</p>}
      {born && (
        <div class="born" role="status">
          <a class="born-card" href={linkTo('rules')} aria-label={t('almanac.card', { card: cardLabel(born.card) })}><Card card={born.card} /></a>
          <div>
            <p class="born-name">{born.can_chi}</p>
            <p>{t('almanac.born', { card: cardName(born.card), canchi: born.can_chi })}</p>
            <p class="born-signs">
              <span><ElementToken element={born.element} label={false} /> {elementName(born.element)}</span>
              <span><AnimalToken animal={born.animal} label={false} /> {animalName(born.animal)}</span>
            </p>
            {born.lunar_year < Number(born.date.slice(0, 4)) && (
              <p class="before-tet">{t('almanac.before', { date: day(born.date), tet: day(dayAfter(born.last_day)) })}</p>
            )}
            <p class="quiet">{t('almanac.year', { year: born.lunar_year, first: day(born.first_day), last: day(born.last_day) })}</p>
          </div>
        </div>
      )}
      <p class="quiet">{t('almanac.calendar')} {t('almanac.range')}</p>
    </div>
  );
}
