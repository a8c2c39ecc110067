--- The variants of construction, the default first. All of them leave the same
--- finished functions.
return require("phial.trace.algorithms").variants
