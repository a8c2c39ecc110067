--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "SwtwsP53bTLuuYPiCWYwSftgVQsdaDmg7dIz3173wos=",
  style = "gJhCjj1b4TdASTQwxjPceNtV1fr908y1UHp+ZbDmGvw=",
}
