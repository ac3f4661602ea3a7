import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { BoardInfo, CardName, Move, SpaceView, View } from '../api/types';
import { AnimalStamp } from '../art/Animal';
import { ElementDisc } from '../art/Element';
import { FlowerMark } from '../art/Flower';
import { cardName, elementName, listOf, t } from '../i18n';
import type { Loose, Target } from '../play/choice';
import { cardInfo } from '../play/rules';
import { CardChip, CardFace } from './Card';
import { layOut, vinePath, type Layout } from './layout';
import { useRoving } from './roving';
import { YearTrack } from './YearTrack';

interface Props {
  board: BoardInfo;
  view: View;
  competitive: boolean;
  targets: Target[];
  /** Targets of a card that is only looked at: shown, not to be clicked. */
  hint: boolean;
  ghost: { card: CardName; space: number; move: Move | null; shared: number[] } | null;
  news: Set<number>;
  loose: Loose;
  onSpace: (space: number) => void;
}

const STACK_LIST_PX = 170;
/** Where along a vine the leaves of an ascended animal grow, from its end on. */
const LEAF_AT = (at: number): number => 0.3 + 0.045 * at;

const topOf = (space: SpaceView): CardName | null => space.cards.at(-1) ?? null;

function spaceLabel(space: SpaceView, target: Target | undefined): string {
  const top = topOf(space);
  const parts = [t('table.space', { number: space.space + 1 })];
  if (top) parts.push(t('table.space.stack', { card: cardName(top), rank: cardInfo(top).rank, count: space.cards.length }));
  else parts.push(t('table.space.empty'));
  if (space.token) parts.push(t('table.space.token', { element: elementName(space.token) }));
  if (space.cards.length > 1) parts.push(t('table.space.over', { cards: listOf(space.cards.slice(0, -1).reverse().map(cardName)) }));
  if (space.ascended) parts.push(t('table.space.ascended'));
  if (target) parts.push(t('table.space.cost', { cost: target.cost }));
  return parts.join(', ');
}

interface VineProps {
  layout: Layout; from: number; to: number; shared: string | null; lit: boolean;
  /** How far the animals at both ends have ascended, as ranks: that many leaves have grown. */
  grown?: [number, number];
}

const TENDRIL_RANK = 3;
const TENDRIL = 'M0 0c1-7 10-9 11-3c.6 4-5 5-5 1.6c0-2 2.4-2.4 3-.8';

export function Vine({ layout, from, to, shared, lit, grown = [0, 0] }: VineProps) {
  const { path, point, angle } = vinePath(layout, from, to);
  const leaves = [0.42, 0.58, ...grown.flatMap((rank, end) => Array.from({ length: rank }, (_, at) => (end ? 1 - LEAF_AT(at) : LEAF_AT(at))))];
  const tendrils = grown.flatMap((rank, end) => (rank >= TENDRIL_RANK ? [end ? 0.64 : 0.36] : []));
  const long = Math.hypot(layout.at[from]!.x - layout.at[to]!.x, layout.at[from]!.y - layout.at[to]!.y);
  const leaf = Math.min(9, long / 9);
  return (
    <g class={`vine${shared ? ` vine-shared vine-${shared}` : ''}${lit ? ' vine-lit' : ''}`}>
      <path class="vine-stem" d={path} />
      {tendrils.map((s) => {
        const { x, y } = point(s);
        return <path key={s} class="vine-tendril" d={TENDRIL} transform={`translate(${x} ${y}) rotate(${angle(s)}) scale(${leaf / 7})`} />;
      })}
      {leaves.map((s, side) => {
        const { x, y } = point(s);
        const turn = angle(s) + (side % 2 ? 40 : -140);
        return (
          <path
            key={s}
            class="vine-leaf"
            d={`M0 0q${leaf * 0.5} ${-leaf * 0.7} ${leaf * 1.4} ${-leaf * 0.2}q${-leaf * 0.6} ${leaf * 0.75} ${-leaf * 1.4} ${leaf * 0.2}z`}
            transform={`translate(${x} ${y}) rotate(${turn})`}
          />
        );
      })}
    </g>
  );
}

/** The way of a stack that moves, with an arrow's head. */
export function MoveWay({ path }: { path: string }) {
  return (
    <>
      <marker id="move-head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="5" markerHeight="5" orient="auto-start-reverse">
        <path class="move-head" d="M0 0L10 5L0 10z" />
      </marker>
      <path class="move-way" d={path} marker-end="url(#move-head)" />
    </>
  );
}

/** The cards of a stack from the top down, beside it. */
function StackList({ space, layout }: { space: SpaceView; layout: Layout }) {
  const { x, y } = layout.at[space.space]!;
  const below = y < layout.height / 2;
  const off = layout.card.height / 2 + 6;
  return (
    <ol
      class="stack-list"
      aria-hidden="true"
      style={{
        left: `${Math.min(Math.max(x, STACK_LIST_PX / 2), layout.width - STACK_LIST_PX / 2)}px`,
        ...(below ? { top: `${y + off}px` } : { bottom: `${layout.height - y + off}px` }),
      }}
    >
      {[...space.cards].reverse().map((card) => <li key={card}><b>{cardInfo(card).rank}</b><CardChip card={card} /></li>)}
    </ol>
  );
}

export function SpaceArt({ space, layout, owner, news, ghost, leaving }: {
  space: SpaceView; layout: Layout; owner: number | null; news: boolean; ghost: CardName | null; leaving: boolean;
}) {
  const { x, y } = layout.at[space.space]!;
  const { width, height } = layout.card;
  const top = topOf(space);
  const under = Math.min(4, space.cards.length - 1);
  const badge = Math.max(8, width * 0.15);
  return (
    <g data-stack={space.space} transform={`translate(${x - width / 2} ${y - height / 2})`} class={`space${news ? ' news' : ''}${leaving ? ' leaving' : ''}`}>
      {!top && (
        <>
          <rect class="space-empty" width={width} height={height} rx={7 * layout.scale} />
          {!space.token && <text class="space-number" x={width / 2} y={height / 2} font-size={width * 0.24}>{space.space + 1}</text>}
        </>
      )}
      {space.token && <ElementDisc element={space.token} x={width / 2} y={height / 2} size={Math.min(24, width * 0.31)} />}
      {Array.from({ length: under }, (_, at) => (
        <rect key={at} class="edge" x={(under - at) * 1.8} y={(at - under) * 2.2} width={width} height={height} rx={7 * layout.scale} />
      ))}
      {top && (
        <g key={top} class="placed">
          <g transform={`scale(${layout.scale})`}><CardFace card={top} face="stamp" /></g>
          {news && <rect class="news-ring" x="-3" y="-3" width={width + 6} height={height + 6} rx={9 * layout.scale} />}
        </g>
      )}
      {space.ascended && top && (
        <g class="crown" transform={`translate(${58 * layout.scale} ${14 * layout.scale})`}>
          <circle r={badge * 1.1} />
          <AnimalStamp animal={cardInfo(top).animal} x={0} y={0} size={badge * 1.5} />
        </g>
      )}
      {owner !== null && top && <FlowerMark seat={owner} x={59 * layout.scale} y={13 * layout.scale} size={badge * 0.82} />}
      {ghost && <g class="ghost" transform={`scale(${layout.scale})`}><CardFace card={ghost} face="stamp" /></g>}
      {space.cards.length > 1 && (
        <g class="stack-count" transform={`translate(${width - 1} ${height * 0.64})`}>
          <circle r={badge} />
          <text font-size={badge * 1.25}>{space.cards.length}</text>
        </g>
      )}
    </g>
  );
}

export function Board({ board, view, competitive, targets, hint, ghost, news, loose, onSpace }: Props) {
  const frame = useRoving<HTMLDivElement>('.is-target');
  const [peek, setPeek] = useState<number | null>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const box = frame.current!.getBoundingClientRect();
      if (box.width && box.height) setSize({ width: Math.round(box.width), height: Math.round(box.height) });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current!);
    measure();
    return () => observer.disconnect();
  }, []);
  const layout = useMemo(() => size && layOut(board, size.width, size.height, competitive), [board, size, competitive]);
  if (!size || !layout) return <div class="board" ref={frame} />;
  const spaces = view.table.spaces;
  const element = (space: number): string | null => {
    const top = ghost?.space === space ? ghost.card : topOf(spaces[space]!);
    return top ? cardInfo(top).element : null;
  };
  const grown = (space: number): number => {
    const { cards } = spaces[space]!;
    return cards.length > 1 ? cardInfo(cards.at(-1)!).rank : 0;
  };
  const ghostAt = (space: number): CardName | null => {
    if (ghost?.space === space) return ghost.card;
    return ghost?.move?.to === space ? topOf(spaces[ghost.move.from]!) : null;
  };
  const tag = Math.max(10.5, Math.min(13, layout.card.width * 0.2));
  return (
    <div class="board" ref={frame}>
      <svg class="board-art" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
        <rect class="scroll" x="1.5" y="1.5" width={size.width - 3} height={size.height - 3} rx="20" />
        <rect class="scroll-rim" x={layout.inset * 2} y={layout.inset * 2} width={size.width - layout.inset * 4} height={size.height - layout.inset * 4} rx="12" />
        {board.vines.map(([from, to]) => {
          const [one, other] = [element(from!), element(to!)];
          const joins = (space: number) => (space === from ? to : from)!;
          return (
            <Vine
              key={`${from}-${to}`}
              layout={layout}
              from={from!}
              to={to!}
              grown={[grown(from!), grown(to!)]}
              shared={one !== null && one === other ? one : null}
              lit={ghost !== null && [from, to].includes(ghost.space) && ghost.shared.includes(joins(ghost.space))}
            />
          );
        })}
        {spaces.map((space) => {
          const top = topOf(space);
          const owner = competitive && top ? view.table.animal_tokens[cardInfo(top).animal] : null;
          return (
            <SpaceArt
              key={space.space}
              space={space}
              layout={layout}
              owner={owner}
              news={news.has(space.space)}
              ghost={ghostAt(space.space)}
              leaving={ghost?.move?.from === space.space && ghost.space !== space.space}
            />
          );
        })}
        {ghost?.move && <MoveWay path={vinePath(layout, ghost.move.from, ghost.move.to).path} />}
        {competitive && <YearTrack width={size.width} height={size.height} inset={layout.inset} players={view.players} size={layout.inset * 0.62} />}
        {targets.map((target) => {
          const { x, y } = layout.at[target.space]!;
          const { width, height } = layout.card;
          const text = target.cost ? t('table.cost', { cost: target.cost }) : t('table.free');
          return (
            <g key={target.space} class={`target${target.chosen ? ' chosen' : ''}${hint ? ' hint' : ''}`} transform={`translate(${x} ${y})`}>
              <rect class="target-ring" x={-width / 2 - 3} y={-height / 2 - 3} width={width + 6} height={height + 6} rx={9 * layout.scale} />
              <rect class="target-tag" x={-text.length * tag * 0.33 - 5} y={height / 2 - tag * 0.9} width={text.length * tag * 0.66 + 10} height={tag * 1.7} rx={tag * 0.85} />
              <text class="target-cost" y={height / 2} font-size={tag}>{text}</text>
            </g>
          );
        })}
      </svg>
      <div class="spaces" role="group" aria-label={t('table.board')}>
        {spaces.map((space) => {
          const target = hint ? undefined : targets.find((one) => one.space === space.space);
          const { x, y } = layout.at[space.space]!;
          return (
            <button
              key={space.space}
              type="button"
              class={`space-button${target ? ' is-target' : ''}`}
              data-space={space.space}
              data-lift={loose.stacks.includes(space.space) ? 'stack' : loose.gains?.sources.find((source) => source === `space-${space.space}`)}
              aria-disabled={!target}
              aria-pressed={target ? target.chosen : undefined}
              aria-label={spaceLabel(space, target)}
              title={space.cards.length > 1 ? undefined : spaceLabel(space, target)}
              onPointerEnter={() => setPeek(space.space)}
              onPointerLeave={() => setPeek(null)}
              onFocus={() => setPeek(space.space)}
              onBlur={() => setPeek(null)}
              style={{
                left: `${x - layout.card.width / 2 - 4}px`,
                top: `${y - layout.card.height / 2 - 4}px`,
                width: `${layout.card.width + 8}px`,
                height: `${layout.card.height + 8}px`,
              }}
              onClick={() => target && onSpace(space.space)}
            />
          );
        })}
      </div>
      {peek !== null && spaces[peek]!.cards.length > 1 && <StackList space={spaces[peek]!} layout={layout} />}
    </div>
  );
}

