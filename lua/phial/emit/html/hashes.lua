--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "xuunESWHXNJBM18l+dhWYJwEcIY2o1ZTK/lBH9zV3QU=",
  style = "ZOy5NvmUYGJMugnAQ6ahgPe1deotwGYEjT0qEJSP/78=",
}
