--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "8yRPTYzNXyaVXajCnPcVoBD7k33GqU/jfbJ+juAiKq8=",
  style = "fl3h3tqI9S+81QC4tnX7xJ9RT1sGz+gJgKIhMDqVpUs=",
}
