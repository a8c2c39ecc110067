--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "gM+1le2mOYgcCQDVO1XL9SQPXvmDa4hVaPOc8SYlYfk=",
  style = "EHMy/HNakp/uKrAX3b27TndyRhEbPM8Q/wMAZqXckWQ=",
}
