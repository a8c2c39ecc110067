--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "Ld8LXRLlQ5E94C8jz3LgmGNEJhpV2Py32kTZO7K/nWE=",
  style = "f8Z8AQ9EBS2UjZukdMrbqscWFwiywnzFnzSm925u+ok=",
}
