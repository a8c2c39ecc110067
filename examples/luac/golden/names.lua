-- functions are named by what they are given to
local M = {}
local function a() end
local b = function() end
function c() end
function M.d() end
function M:e() end
M.f = { g = function() end }
b = function() end
local function h() a = function() end end
M[1] = function() end
return function() end
