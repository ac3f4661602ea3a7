import { render } from 'preact';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { askRules } from './api/calls';
import { language, setLanguage, t, type Language } from './i18n';
import { About } from './pages/About';
import { Almanac } from './pages/Almanac';
import { Home } from './pages/Home';
import { NewGame } from './pages/NewGame';
import { Rules } from './pages/Rules';
import { rules } from './play/rules';
import { linkTo, page, route, type Page } from './route';
import { Table } from './table/Table';
import { applyTheme, setTheme, theme, THEMES, type Theme } from './theme';
import './styles/tokens.css';
import './styles/page.css';
import './styles/pieces.css';
import './styles/table.css';

const failed = signal(false);

async function load(): Promise<void> {
  failed.value = false;
  try {
    rules.value = await askRules();
  } catch {
    failed.value = true;
  }
}

const LANGUAGES: [Language, string, string][] = [['en', 'EN', 'English'], ['vi', 'VI', 'Tiếng Việt']];
const NAVIGATION: Exclude<Page, 'game'>[] = ['home', 'new', 'rules', 'almanac', 'about'];

function Switches() {
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
          <button key={code} type="button" lang={code} aria-label={name} aria-pressed={language.value === code} onClick={() => setLanguage(code)}>{short}</button>
        ))}
      </div>
    </div>
  );
}

function Current() {
  if (!rules.value) {
    return failed.value ? (
      <div class="notice" role="alert">
        <p>{t('app.failed')}</p>
        <button type="button" class="button" onClick={() => void load()}>{t('app.retry')}</button>
      </div>
    ) : (
      <p class="notice" role="status">{t('app.loading')}</p>
    );
  }
  switch (page.value) {
    case 'new': return <NewGame />;
    case 'rules': return <Rules />;
    case 'almanac': return <Almanac />;
    case 'about': return <About />;
    case 'game': return <Table key={route.value.id} id={route.value.id} />;
    default: return <Home />;
  }
}

function App() {
  const here = page.value;
  useEffect(() => {
    document.documentElement.lang = language.value;
    if (here !== 'game') document.title = here === 'home' ? t('app.title') : `${t(`nav.${here}`)} · ${t('app.title')}`;
  }, [here, language.value]);
  return (
    <div class={`app at-${here}`}>
      <header class="top">
        <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>{t('app.skip')}</a>
        <a class="title" href={linkTo('home')}>{t('app.title')}</a>
        <nav aria-label={t('nav.main')}>
          {NAVIGATION.map((one) => (
            <a key={one} href={linkTo(one)} aria-current={here === one ? 'page' : undefined}>{t(one === 'home' ? 'nav.games' : `nav.${one}`)}</a>
          ))}
        </nav>
        <Switches />
      </header>
      <main id="main" tabIndex={-1}><Current /></main>
      {here !== 'game' && <footer class="foot"><p>{t('footer.credit')}</p></footer>}
    </div>
  );
}

applyTheme();
void load();
render(<App />, document.getElementById('page')!);
