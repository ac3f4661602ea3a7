#!lua
-- The one way in which a game changes: all of it happens, or nothing.
--
-- KEYS  1 game  2 log  3 tokens  4 keys  5 recent  6 undone  7 due
--       8 public  9 public:open  10 public:running  11 public:over   12 games:open  13 games:running  14 games:over
-- ARGV  1 id                        2 version expected (0: the game is made now)
--       3 version afterwards        4 commit id, chosen at random by the caller
--       5 seconds until the turn of the AI to move counts as lost ('' when no AI is to move)
--       6 seconds until the game is forgotten    7 status: open, running or over
--       8 idempotency key ('' none)              9 digest of the request it came with
--      10 seat whose token is revoked ('' none) 11 'undo': the last action is taken back ('' not)
--      12 how many games are kept at most           13 how many pairs of token digest and seat follow
--      then those pairs, the count of log entries and the entries, then pairs of field and value for the game
-- Gives {what, version, index of the action added last or taken back, milliseconds since 1970}; what is one of
--   applied, repeated (by idempotency key), reused (the key came with another request), stale, gone, full

local id, expected, after, commit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

if version == 0 and expected > 0 then
  return {'gone', 0, 0, now}
end

if version ~= expected then
  -- A client that lost the reply sends the same command again.
  for _, line in ipairs(redis.call('LRANGE', KEYS[5], 0, -1)) do
    local id_then, version_then, index_then = string.match(line, '^(%S+) (%d+) (-?%d+)$')
    if id_then == commit then
      return {'applied', tonumber(version_then), tonumber(index_then), now}
    end
  end
end

if ARGV[8] ~= '' then
  local known = redis.call('HGET', KEYS[4], ARGV[8])
  if known then
    local digest, version_then, index_then = string.match(known, '^(%S+) (%d+) (%d+)$')
    return {digest == ARGV[9] and 'repeated' or 'reused', tonumber(version_then), tonumber(index_then), now}
  end
end

if version ~= expected then
  return {'stale', version, 0, now}
end

if expected == 0 then
  local kept = 0
  for i = 12, 14 do
    kept = kept + redis.call('ZCOUNT', KEYS[i], now, '+inf')
  end
  if kept >= tonumber(ARGV[12]) then
    return {'full', 0, 0, now}
  end
end

local index = -1
if ARGV[11] == 'undo' then
  local line = redis.call('RPOP', KEYS[2])
  index = redis.call('LLEN', KEYS[2])
  redis.call('RPUSH', KEYS[6], index .. ' ' .. after .. ' ' .. line)
  redis.call('LTRIM', KEYS[6], -40, -1)
end

local place = 14
if ARGV[10] ~= '' then
  local tokens = redis.call('HGETALL', KEYS[3])
  for i = 1, #tokens, 2 do
    if tokens[i + 1] == ARGV[10] then
      redis.call('HDEL', KEYS[3], tokens[i])
    end
  end
end
for _ = 1, tonumber(ARGV[13]) do
  redis.call('HSET', KEYS[3], ARGV[place], ARGV[place + 1])
  place = place + 2
end

local entries = tonumber(ARGV[place])
for i = 1, entries do
  local stamp = string.format('%d %.0f ', after - entries + i, now)
  index = redis.call('RPUSH', KEYS[2], stamp .. ARGV[place + i]) - 1
end
place = place + entries + 1

if expected == 0 then
  redis.call('HSET', KEYS[1], 'created_at', string.format('%.0f', now))
  redis.call('HSET', KEYS[1], 'order', string.format('%.0f', time[1] * 1000000 + time[2]))
end
redis.call('HSET', KEYS[1], 'version', after, 'updated_at', string.format('%.0f', now), 'attempts', 0, 'patience', ARGV[5])
if place <= #ARGV then
  redis.call('HSET', KEYS[1], unpack(ARGV, place))
end

if ARGV[8] ~= '' then
  redis.call('HSET', KEYS[4], ARGV[8], ARGV[9] .. ' ' .. after .. ' ' .. index)
  if redis.call('HLEN', KEYS[4]) > 64 then
    -- The oldest goes. A request that is repeated so late is stale: it names a version that has passed.
    local known, oldest, field = redis.call('HGETALL', KEYS[4]), after, nil
    for i = 1, #known, 2 do
      local version_then = tonumber(string.match(known[i + 1], ' (%d+) '))
      if version_then < oldest then
        oldest, field = version_then, known[i]
      end
    end
    redis.call('HDEL', KEYS[4], field)
  end
end
redis.call('RPUSH', KEYS[5], commit .. ' ' .. after .. ' ' .. index)
redis.call('LTRIM', KEYS[5], -32, -1)

if ARGV[5] ~= '' then
  redis.call('ZADD', KEYS[7], string.format('%.0f', now + tonumber(ARGV[5]) * 1000), id)
else
  redis.call('ZREM', KEYS[7], id)
end

local public = redis.call('HGET', KEYS[1], 'public') == '1'
local order = redis.call('HGET', KEYS[1], 'order')
if public then
  redis.call('ZADD', KEYS[8], order, id)
end
for i, status in ipairs({'open', 'running', 'over'}) do
  if status ~= ARGV[7] then
    redis.call('ZREM', KEYS[8 + i], id)
    redis.call('ZREM', KEYS[11 + i], id)
  else
    if public then
      redis.call('ZADD', KEYS[8 + i], order, id)
    end
    redis.call('ZADD', KEYS[11 + i], string.format('%.0f', now + tonumber(ARGV[6]) * 1000), id)
  end
end

for i = 1, 6 do
  redis.call('EXPIRE', KEYS[i], ARGV[6])
end
return {'applied', after, index, now}
