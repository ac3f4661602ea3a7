/** All that the first look at a table does without: it is fetched beside it. */
export { FirstGame } from './learn/FirstGame';
export { Coach } from './learn/Coach';
export { Ladder } from './ladders/Ladder';
export { Ladders } from './ladders/Ladders';
export { About } from './pages/About';
export { Almanac } from './pages/Almanac';
export { Daily } from './pages/Daily';
export { Home } from './pages/Home';
export { NewGame } from './pages/NewGame';
export { Rules } from './pages/Rules';
export { AnalysisDialog } from './replay/AnalysisDialog';
export { ReplayBar } from './replay/ReplayBar';
export { Share } from './share/Share';
export { AllActions } from './table/AllActions';
export { Discards } from './table/Discards';
export { GameMenu } from './table/GameMenu';
export { KeysHelp } from './table/KeysHelp';
export { Rematch, ScoreDialog } from './table/ScoreDialog';
