-- wrk asks for each of the given polls in turn. Its argument is a file of lines: path, token, ETag.
local requests, turn = {}, 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local path, token, tag = string.match(line, '^(%S+) (%S+) (%S+)$')
    requests[#requests + 1] =
      wrk.format('GET', path, {['Authorization'] = 'Bearer ' .. token, ['If-None-Match'] = tag})
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end
