--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "SOBiaKmbxFpCVa78j8Tl5FTm8DFyYiBDM0qd9jJhcjk=",
  style = "dnsUHr98rZ4lY250NC3aTc2FDYS4QyA4mnD7TQKbnDI=",
}
