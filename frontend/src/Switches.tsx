import { missed } from './api/client';
import { language, setLanguage, t, type Language } from './i18n';
import { setTheme, theme, THEMES, type Theme } from './theme';

const LANGUAGES: [Language, string, string][] = [['en', 'EN', 'English'], ['vi', 'VI', 'Tiếng Việt']];

/** Language and light or dark. */
export function Switches() {
  return (
    <div class="switches">
      <label class="theme">
        <span class="sr-only">{t('app.theme')}</span>
        <select value={theme.value} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
          {THEMES.map((one) => <option key={one} value={one}>{t(`app.theme.${one}`)}</option>)}
        </select>
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="8" /><path d="M12 4a8 8 0 0 1 0 16z" /></svg>
      </label>
      <div class="languages" role="group" aria-label={t('app.language')}>
        {LANGUAGES.map(([code, short, name]) => (
          <button key={code} type="button" lang={code} aria-label={name} aria-pressed={language.value === code} onClick={() => void setLanguage(code).catch(() => (missed.value += 1))}>{short}</button>
        ))}
      </div>
    </div>
  );
}
