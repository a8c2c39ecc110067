--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "5XlehOqQj3B/SEPLQLNObdw03EpiX1rUhsvZUpR2VAw=",
  style = "eU+J+6nTsreZEPGWVRg5tX5Jna3AuDsrORGUWnCfkJU=",
}
