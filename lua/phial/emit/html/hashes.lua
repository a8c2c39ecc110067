--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "h5O8HMCBRS62sd3KPvM0KyNYQbKZbcbws78TupvbCHY=",
  style = "DTRh9cg5YJs33wREZalatH9/xD72H+nxSCQW+jootk4=",
}
