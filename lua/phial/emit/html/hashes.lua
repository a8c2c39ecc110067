--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "vdd7zmj87TSg3mJMIa1vAjXmKS4Vw2/sqS8+WNgkqKY=",
  style = "InG58Kt4jDBozj0PxgfsXyvxwImzGLOCxs2HiXOB8oM=",
}
