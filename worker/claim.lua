#!lua
-- A sweeper takes on one overdue turn; of several sweepers one gets it.
-- KEYS  1 game  2 due      ARGV  1 id  2 version of the turn whose job still waits for a worker ('' none)
-- Gives {} when the turn is not overdue (any more) or its job waits, else {version, how often it has been taken on}.

local due = redis.call('ZSCORE', KEYS[2], ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if not due or tonumber(due) > now then
  return {}
end
local version, patience = unpack(redis.call('HMGET', KEYS[1], 'version', 'patience'))
if not version or patience == '' then
  redis.call('ZREM', KEYS[2], ARGV[1])
  return {}
end
redis.call('ZADD', KEYS[2], string.format('%.0f', now + tonumber(patience) * 1000), ARGV[1])
if version == ARGV[2] then
  return {}
end
return {tonumber(version), redis.call('HINCRBY', KEYS[1], 'attempts', 1)}
