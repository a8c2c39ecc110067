-- a comment

  	local x = 1
