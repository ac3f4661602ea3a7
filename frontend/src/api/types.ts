/** The server's words under the names the page uses; all come from its OpenAPI description. */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Animal = Schemas['Animal'];
export type Element = Schemas['Element'];
export type CardName = Schemas['CardName'];
export type Mode = Schemas['Mode'];
export type Options = Schemas['Options'];
export type Viewer = Schemas['Game']['viewer'];
export type Action = Schemas['Action'];
export type Move = Schemas['Move'];
export type GainSource = Schemas['GainSource'];
export type Outcome = Schemas['Outcome'];
export type LogEntry = Schemas['PlayedAction'];
export type TakenBack = Schemas['TakenBack'];
export type ActionList = Schemas['ActionList'];
export type Choices = Schemas['Choices'];
export type SummonChoice = Schemas['SummonChoice'];
export type Placement = Schemas['Placement'];
export type SpaceView = Schemas['SpaceView'];
export type PlayerView = Schemas['PlayerView'];
export type Seat = Schemas['Seat'];
export type Game = Schemas['Game'];
export type Position = Schemas['Position'];
export type Candidate = Schemas['Candidate'];
export type Hint = Schemas['Hint'];
export type Judgement = Schemas['Judgement'];
export type Analysis = Schemas['Analysis'];
export type GameSummary = Schemas['GameSummary'];
export type GameRecord = Schemas['Record'];
export type CardInfo = Schemas['CardFact'];
export type BoardInfo = Schemas['BoardFact'];
export type LevelInfo = Schemas['PlayerFact'];
export type OptionRules = Schemas['OptionFacts'];
export type Born = Schemas['AlmanacDay'];
export type LadderList = Schemas['LadderList'];
export type LadderRead = Schemas['Ladder'];
export type LadderStanding = Schemas['LadderStanding'];
export type LadderMatch = Schemas['LadderMatch'];
/** What a table shows: a game as it stands, or as it stood. */
export type View = Omit<Position, 'index' | 'viewer'>;
