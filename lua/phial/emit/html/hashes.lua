--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "5rhDXBIWsyr/dwJCSeZ4O3zz1dnKHjCH4ZsxPKKGcg8=",
  style = "GvLDN/SODKFTj5IwwBcroE2b4b9ZtaIMVXeEgwPhlTo=",
}
