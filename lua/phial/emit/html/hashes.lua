--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "b20iHgDqvnB/C3E56nj2BWniGUJ0yo/rIEqDrHhsKJc=",
  style = "f8Z8AQ9EBS2UjZukdMrbqscWFwiywnzFnzSm925u+ok=",
}
