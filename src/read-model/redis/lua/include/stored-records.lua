-- Takes a value of ':x' apart: five digits with the length of the member, the member, the description.
local function stored(record)
  local size = tonumber(string.sub(record, 1, 5))
  return string.sub(record, 6, 5 + size), string.sub(record, 6 + size)
end
