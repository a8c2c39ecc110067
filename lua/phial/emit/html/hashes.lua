--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "DzucuimtzKarSqZvwdFV9nYx/d0xj0mbMWH+GAEPoCA=",
  style = "vNj1p1utezYQHkbnIk+mdiIa9bOIC49qwHLJc4y5qlM=",
}
