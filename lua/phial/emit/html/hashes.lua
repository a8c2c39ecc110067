--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "HobUjvuiRAlNy6iClFn4JiTIWVBRer39YRLqKo2GZHA=",
  style = "8Q6aoEUbgVXndZs841LCt9WVthcdb7tnL92dQONanFY=",
}
