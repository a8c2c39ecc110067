--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "s/Vc2MUXwFlEhPLJj+ltmKl56G9INyRFD0wYi67CJ0w=",
  style = "ZOy5NvmUYGJMugnAQ6ahgPe1deotwGYEjT0qEJSP/78=",
}
