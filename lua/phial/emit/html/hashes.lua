--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "kKAi0JpX1fZvh7X9x+fjyQY74ztNFc9uYhR1GnCu/ag=",
  style = "EHMy/HNakp/uKrAX3b27TndyRhEbPM8Q/wMAZqXckWQ=",
}
