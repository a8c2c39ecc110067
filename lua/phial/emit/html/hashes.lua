--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "Gp3kfptn6McBOM6Bw6Cuq4e4pDbPzpC2aAQnUWeDKkU=",
  style = "06KNDXMWmVjCYgM3xc6XE3xnlhdEoKfbKa74nRKgbRE=",
}
