--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "hoDXby9jaJn1faneiZ9QcxlqXW1ejfdUwcn+I+rf/+E=",
  style = "tBOrPCB0ChdYV6ujwRPXTFAflCLrY488IC+doCgq7Wk=",
}
