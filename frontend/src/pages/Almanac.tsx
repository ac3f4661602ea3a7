import { useState } from 'preact/hooks';
import { askAlmanac } from '../api/calls';
import { Refusal } from '../api/client';
import type { Born } from '../api/types';
import { cardName, day, t, tMaybe } from '../i18n';
import { Card } from '../table/Card';

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
          <Card card={born.card} />
          <div>
            <p class="born-name">{born.can_chi}</p>
            <p>{t('almanac.born', { card: cardName(born.card), canchi: born.can_chi })}</p>
            <p class="quiet">{t('almanac.year', { year: born.lunar_year, first: day(born.first_day), last: day(born.last_day) })}</p>
          </div>
        </div>
      )}
      <p class="quiet">{t('almanac.calendar')} {t('almanac.range')}</p>
    </div>
  );
}
