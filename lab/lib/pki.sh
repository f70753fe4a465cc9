# shellcheck shell=bash
# Certificates and kubeconfigs of one lab. They live and die with its state.

LAB_CERTIFICATE_DAYS=30

pki_authority() { # NAME
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days "$LAB_CERTIFICATE_DAYS" -subj "/CN=$1" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign,digitalSignature \
    -keyout "$LAB_PKI/$1.key" -out "$LAB_PKI/$1.crt" 2> /dev/null
}

# pki_certificate NAME SUBJECT USAGE [ALTERNATIVE-NAMES] [AUTHORITY]: writes pki/NAME.key and pki/NAME.crt.
# PKI_KEY=rsa makes an RSA key: the Kubernetes client of the JVM reads the PKCS#8 form of an EC key as RSA and fails.
pki_certificate() {
  local name=$1 subject=$2 usage=$3 names=${4:-} authority=${5:-ca}
  local key=(ec -pkeyopt ec_paramgen_curve:P-256)
  [ "${PKI_KEY:-}" != rsa ] || key=(rsa:2048)
  openssl req -newkey "${key[@]}" -nodes -subj "$subject" -keyout "$LAB_PKI/$name.key" -out "$LAB_PKI/$name.csr" 2> /dev/null
  {
    echo basicConstraints=CA:FALSE
    echo keyUsage=critical,digitalSignature,keyEncipherment
    echo "extendedKeyUsage=$usage"
    [ -z "$names" ] || echo "subjectAltName=$names"
  } > "$LAB_PKI/$name.ext"
  openssl x509 -req -in "$LAB_PKI/$name.csr" -CA "$LAB_PKI/$authority.crt" -CAkey "$LAB_PKI/$authority.key" \
    -CAcreateserial -days "$LAB_CERTIFICATE_DAYS" -extfile "$LAB_PKI/$name.ext" -out "$LAB_PKI/$name.crt" 2> /dev/null
  rm -f "$LAB_PKI/$name.csr" "$LAB_PKI/$name.ext"
}

# pki_kubeconfig FILE NAME SERVER: the certificate pki/NAME as a kubeconfig that refers to no other file.
pki_kubeconfig() {
  (
    umask 077
    cat > "$1" << YAML
apiVersion: v1
kind: Config
clusters:
  - name: numaspark-lab
    cluster:
      server: $3
      certificate-authority-data: $(base64 -w0 < "$LAB_PKI/ca.crt")
users:
  - name: $2
    user:
      client-certificate-data: $(base64 -w0 < "$LAB_PKI/$2.crt")
      client-key-data: $(base64 -w0 < "$LAB_PKI/$2.key")
contexts:
  - name: numaspark-lab
    context:
      cluster: numaspark-lab
      user: $2
current-context: numaspark-lab
YAML
  )
}

pki_up() {
  [ ! -e "$LAB_PKI/complete" ] || return 0
  rm -rf "$LAB_PKI"
  mkdir -p "$LAB_PKI"
  chmod 700 "$LAB_PKI"
  pki_authority ca
  pki_authority front-proxy-ca
  local service=kubernetes.default.svc
  pki_certificate apiserver /CN=kube-apiserver serverAuth \
    "DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:$service,DNS:$service.cluster.local,IP:127.0.0.1,IP:$LAB_HOST_IP,IP:$SERVICE_API_IP"
  pki_certificate apiserver-kubelet-client /O=system:masters/CN=kube-apiserver-kubelet-client clientAuth
  pki_certificate front-proxy-client /CN=front-proxy-client clientAuth "" front-proxy-ca
  pki_certificate controller-manager /CN=system:kube-controller-manager clientAuth
  pki_certificate scheduler /CN=system:kube-scheduler clientAuth
  pki_certificate kube-proxy /CN=system:kube-proxy clientAuth
  pki_certificate coredns /CN=numaspark-lab:coredns clientAuth
  PKI_KEY=rsa pki_certificate admin /O=system:masters/CN=admin clientAuth
  openssl genrsa -out "$LAB_PKI/service-account.key" 2048 2> /dev/null
  openssl rsa -in "$LAB_PKI/service-account.key" -pubout -out "$LAB_PKI/service-account.pub" 2> /dev/null

  pki_kubeconfig "$LAB_KUBECONFIG" admin "https://127.0.0.1:$LAB_API_PORT"
  pki_kubeconfig "$LAB_KUBECONFIG_INSIDE" admin "$LAB_API"
  local name
  for name in controller-manager scheduler kube-proxy coredns; do
    pki_kubeconfig "$LAB_PKI/$name.kubeconfig" "$name" "$LAB_API"
  done
  touch "$LAB_PKI/complete"
}

# node_credentials NODE IP FOLDER: what a node needs to join: ca.crt, kubelet.crt, kubelet.key, kubelet.kubeconfig and
# kube-proxy.kubeconfig. The kubelet's certificate serves both its own port and its calls to the API server.
node_credentials() {
  local node=$1 ip=$2 folder=$3
  mkdir -p "$folder"
  chmod 700 "$folder"
  [ -e "$LAB_PKI/node-$node.crt" ] ||
    pki_certificate "node-$node" "/O=system:nodes/CN=system:node:$node" clientAuth,serverAuth "DNS:$node,IP:$ip,IP:127.0.0.1"
  pki_kubeconfig "$folder/kubelet.kubeconfig" "node-$node" "$LAB_API"
  cp "$LAB_PKI/ca.crt" "$folder/ca.crt"
  cp "$LAB_PKI/node-$node.crt" "$folder/kubelet.crt"
  cp "$LAB_PKI/node-$node.key" "$folder/kubelet.key"
  cp "$LAB_PKI/kube-proxy.kubeconfig" "$folder/kube-proxy.kubeconfig"
}
