import type { Animal } from '../api/types';
import { ANIMAL_PATHS } from '../art/animals';
import { AnimalToken } from '../art/Animal';
import { t } from '../i18n';

const API_PAGE = '/api/v1/docs';

export function About() {
  return (
    <article class="sheet about">
      <h1>{t('about.title')}</h1>
      <p>{t('about.unofficial')}</p>
      <p>{t('about.art')}</p>
      <p class="tokens">{(Object.keys(ANIMAL_PATHS) as Animal[]).map((animal) => <AnimalToken key={animal} animal={animal} />)}</p>
      <p>{t('about.fonts')}</p>
      <p>{t('about.code')} <a href={API_PAGE}>{API_PAGE}</a></p>
    </article>
  );
}
