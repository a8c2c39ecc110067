--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "h7t3DK+5ZdIPZfhOxejG3Jogw38gU5O1SDXgVjkP16E=",
  style = "xpXYPrQnr2rC1Fbza39sO+UjFyLQr17k9NHTi7EgFhg=",
}
