-- For wrk: asks for the paths of a file, one after the other. Arguments: the file, and the milliseconds that a connection pauses on average.
local paths, at = {}, 0

function init(arguments)
  for line in io.lines(arguments[1]) do paths[#paths + 1] = line end
  local pause = tonumber(arguments[2])
  if pause > 0 then delay = function() return math.random(0, 2 * pause) end end
end

function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
