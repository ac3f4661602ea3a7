#!lua
-- A job that is thinking says when its turn counts as lost unless it is heard of again.
-- KEYS  1 game  2 due      ARGV  1 id  2 version the job thinks about  3 seconds from now
-- Gives 1, or 0 when the game has gone on.

if redis.call('HGET', KEYS[1], 'version') ~= ARGV[2] or not redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[2], string.format('%.0f', now + tonumber(ARGV[3]) * 1000), ARGV[1])
return 1
