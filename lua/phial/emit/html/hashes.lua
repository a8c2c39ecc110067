--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "BTjlOIfGi3JEGvQpqomNX6V/aEIijt1dhj7NkVlPl30=",
  style = "GsZFM2l0udf1aChEuuJOz9X+LLI9zNDazXDPSaZPJlw=",
}
