import { render } from 'preact';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import './keyboard';
import { askRules } from './api/calls';
import { language, speak, t } from './i18n';
import { rules } from './play/rules';
import { beginSession } from './play/session';
import { Outdated } from './Outdated';
import { Tips } from './learn/Tips';
import { lessonId } from './learn/kept';
import { fetchParts, later } from './later';
import { linkTo, page, route, wantedOf, type Page } from './route';
import { Table } from './table/Table';
import { Switches } from './Switches';
import { applyTheme } from './theme';
import './styles/tokens.css';
import './styles/page.css';
import './styles/pieces.css';
import './styles/table.css';
import './styles/looking.css';
import './styles/around.css';
import './styles/ladders.css';

const About = later('About');
const Almanac = later('Almanac');
const Daily = later('Daily');
const FirstGame = later('FirstGame');
const Home = later('Home');
const Ladder = later('Ladder');
const Ladders = later('Ladders');
const NewGame = later('NewGame');
const Rules = later('Rules');

const failed = signal(false);

async function load(): Promise<void> {
  failed.value = false;
  try {
    rules.value = await askRules();
  } catch {
    failed.value = true;
  }
}

const NAVIGATION: Exclude<Page, 'game' | 'learn' | 'daily' | 'nowhere'>[] = ['home', 'new', 'rules', 'almanac', 'ladders', 'about'];

/** Is the page a table, and not the first game's? */
const isTable = (): boolean => page.value === 'game' && route.value.id !== lessonId();

function Current() {
  const { id } = route.value;
  const table = isTable();
  // A table is asked for beside the rules, not after them; it waits for both itself.
  if (!rules.value && (failed.value || !table)) {
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
    case 'daily': return <Daily />;
    case 'almanac': return <Almanac />;
    case 'ladders': return id ? <Ladder key={id} id={id} /> : <Ladders />;
    case 'about': return <About />;
    case 'learn': return <FirstGame />;
    case 'game': return table ? <Table key={id} id={id} /> : <FirstGame />;
    case 'home': return <Home />;
    default: return <h1 class="notice">{t('nav.nowhere')}</h1>;
  }
}

function App() {
  const here = page.value;
  useEffect(() => {
    document.documentElement.lang = language.value;
    if (here !== 'game') document.title = here === 'home' ? t('app.title') : `${t(`nav.${here}`)} · ${t('app.title')}`;
  }, [here, language.value]);
  return (
    <div class={`app at-${here === 'learn' ? 'game' : here}`}>
      <Tips />
      <Outdated />
      <header class="top">
        <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>{t('app.skip')}</a>
        <a class="title" href={linkTo('home')} aria-label={t('app.title')}>
          <svg class="seal-mark-title" viewBox="0 0 32 32" aria-hidden="true">
            <rect x="1" y="1" width="30" height="30" rx="6" />
            <path d="M8 12h16M16 7v18M16 12q-2.5 7-8 10M16 12q2.5 7 8 10" />
          </svg>
          <span>{t('app.title')}</span>
        </a>
        <nav aria-label={t('nav.main')}>
          {NAVIGATION.map((one) => (
            <a key={one} href={linkTo(one)} aria-current={here === one ? 'page' : undefined}>{t(one === 'home' ? 'nav.games' : `nav.${one}`)}</a>
          ))}
        </nav>
        <Switches />
      </header>
      <main id="main" tabIndex={-1}><Current /></main>
      {here !== 'game' && here !== 'learn' && <footer class="foot"><p>{t('footer.credit')}</p></footer>}
    </div>
  );
}

applyTheme();
// Everything is on its way before anything is drawn.
const { id, query } = route.peek();
if (isTable()) beginSession(id, wantedOf(query));
void load();
if (!isTable()) void fetchParts().catch(() => undefined);
void speak(language.peek()).then(() => render(<App />, document.getElementById('page')!));
