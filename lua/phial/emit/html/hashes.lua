--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "EIzoW5WDLTZGySc7Ndx1rc/g9Vx/v+3b+tJFAFsGFUY=",
  style = "GvLDN/SODKFTj5IwwBcroE2b4b9ZtaIMVXeEgwPhlTo=",
}
