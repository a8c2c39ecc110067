--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "cjhnS57F6sGAHzukMwQpz8AGvN/nId/cUSgmPt7Y5AQ=",
  style = "ehtFGrDBBWepKW09EaV1ykGOQF5k+TGTovhKHETNahA=",
}
