--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "0J5pEofciMGQxWBaws8Ys6ehVMzmNF9r9qIp6VeMEvM=",
  style = "EHMy/HNakp/uKrAX3b27TndyRhEbPM8Q/wMAZqXckWQ=",
}
