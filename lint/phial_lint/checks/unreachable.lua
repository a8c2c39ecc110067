-- Statements that control never comes to: after `return`, `break`, an endless loop, or a call
-- that does not return.
return function(file)
  for _, f in ipairs(file.program:functions()) do
    for _, node in ipairs(f.dead) do file.reports:add(node, "511", "unreachable code") end
  end
end
