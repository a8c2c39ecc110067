--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "P+9K6g8FuKaTgTmOCSgXkotu5+CJ6WsiFPYIp7SoKuM=",
  style = "f8Z8AQ9EBS2UjZukdMrbqscWFwiywnzFnzSm925u+ok=",
}
